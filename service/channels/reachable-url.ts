import { BlockList, isIP } from 'node:net';

/** Addresses that mean something else, or nothing, outside this host and its network (RFC 6890). */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
] as const)
	PRIVATE.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
	['::', 127],
	['fc00::', 7],
	['fe80::', 10],
] as const)
	PRIVATE.addSubnet(network, prefix, 'ipv6');

/** Names that public DNS never answers (RFC 6761, RFC 6762, RFC 8375, RFC 9476, `.internal`). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa|test|invalid|alt)$/;

/**
 * Why a phone outside this network could not open a URL, or undefined when it could.
 * @returns one clause, e.g. `it is a loopback or private address`
 */
export function unreachableBecause(address: string | undefined): string | undefined {
	if (address === undefined || !URL.canParse(address)) return 'it is not set';
	const { protocol, hostname } = new URL(address);
	if (protocol !== 'https:' && protocol !== 'http:') return 'it is not an http(s) address';
	const host = hostname
		.replace(/^\[|\]$/g, '')
		.replace(/\.$/, '')
		.toLowerCase();
	const family = isIP(host);
	if (family !== 0)
		return PRIVATE.check(host, family === 6 ? 'ipv6' : 'ipv4')
			? 'it is a loopback or private address'
			: undefined;
	if (PRIVATE_NAME.test(host)) return 'its name is known in this network only';
	return host.includes('.') ? undefined : 'its name has no dot';
}
