import ipaddr from 'ipaddr.js';

/** Public by their number, and yet a cloud's own door to its machines' metadata. */
const METADATA_ADDRESSES = ['168.63.129.16', '100.100.100.200', '169.254.169.254', '192.0.0.192', 'fd00:ec2::254'];
/** What is routed on the public internet of version 6. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address, in its usual notation, is a single machine of the public internet. Everything else is not: loopback, private, link-local,
 * shared, reserved, multicast, metadata of clouds, and addresses of version 6 that carry one of version 4 inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!isLiteralAddress(text) || isMetadataAddress(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Whether a cloud tells its machines their secrets there. */
export function isMetadataAddress(text: string): boolean {
  return METADATA_ADDRESSES.includes(text);
}

/** The host of an address as DNS and TLS know it: an IPv6 address without its brackets, a name without its last dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Whether the host is written as an IP address, in the one way that a parsed URL or a look-up gives; then there is nothing to look up. */
export function isLiteralAddress(host: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host);
}

const MAX_LENGTH = 2048;
/** Names that never leave a machine or its network. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/i;

/**
 * What is wrong with the address of a webhook, in words that go on after its name, or null. What a name resolves to is another question:
 * it is asked at every sending.
 */
export function webhookAddressProblem(text: string): string | null {
  if (text.length > MAX_LENGTH) return `has at most ${MAX_LENGTH} characters`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') return 'must be an https address';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  const host = hostOf(url);
  const isForeign = isLiteralAddress(host) ? isPublicAddress(host) : host.includes('.') && !LOCAL_NAME.test(host);
  return isForeign ? null : 'must be on the public internet';
}
