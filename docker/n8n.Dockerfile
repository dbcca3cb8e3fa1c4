# n8n with this package, loaded as a community package under its real node names.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY service/package.json service/
COPY tools/package.json tools/
RUN npm ci
COPY tsconfig.json tsconfig.base.json gulpfile.js ./
COPY service service
COPY nodes nodes
COPY credentials credentials
RUN npm run build

FROM n8nio/n8n:2.40.7
# Not into /home/node/.n8n: that is a volume, which hides what a newer image brings.
COPY --from=build --chown=node:node /src/package.json /opt/n8n-nodes-durable/
COPY --from=build --chown=node:node /src/dist/nodes /opt/n8n-nodes-durable/dist/nodes
COPY --from=build --chown=node:node /src/dist/credentials /opt/n8n-nodes-durable/dist/credentials
COPY --chown=node:node docker/place-package.sh /opt/place-package.sh
# As the image's own entry point, with the package placed first.
ENTRYPOINT ["tini", "--", "/bin/sh", "/opt/place-package.sh"]
