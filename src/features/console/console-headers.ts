/** A host as browsers send it; what else a client writes there must not get into a header. */
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/**
 * The policy of the console's page. Scripts come from files alone, without eval. Style elements need the answer's own nonce: the component
 * library writes its colours and breakpoints into some. Attributes of style stay forbidden; the console sets styles through the DOM.
 */
export function consolePolicy(nonce: string, host: string | undefined): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    `connect-src 'self'${socketOrigins(host)}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Not every browser takes `'self'` for the sockets of the same host. */
function socketOrigins(host: string | undefined): string {
  return host !== undefined && HOST.test(host) ? ` ws://${host} wss://${host}` : '';
}
