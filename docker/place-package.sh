#!/bin/sh
# Puts the package into n8n's folder for community packages (a volume), then starts n8n as the image does.
set -e
target="$HOME/.n8n/nodes/node_modules/n8n-nodes-durable"
rm -rf "$target"
mkdir -p "$target"
cp -R /opt/n8n-nodes-durable/. "$target"
exec /docker-entrypoint.sh "$@"
