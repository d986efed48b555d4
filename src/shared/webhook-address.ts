import { hostOf, isLiteralAddress, isPublicAddress } from './public-address.js';

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
  return isForeign(hostOf(url)) ? null : 'must be on the public internet';
}

function isForeign(host: string): boolean {
  return isLiteralAddress(host) ? isPublicAddress(host) : host.includes('.') && !LOCAL_NAME.test(host);
}
