import { describe, expect, it } from 'vitest';
import { isPublicAddress, webhookAddressProblem } from './public-address.js';

describe('an address on the public internet', () => {
  it.each(['8.8.8.8', '2606:4700:4700::1111'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', '8.8.8', '8.8.8.8.8', '10.1.2.3', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::'])(
    'is not %j',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );
});

it.each(['https://hooks.example.com/a?b=c#d', 'https://8.8.8.8:8443/', 'https://[2606:4700::1]/', 'HTTPS://A.EXAMPLE'])(
  'the address of a webhook may be %s',
  (url) => {
    expect(webhookAddressProblem(url)).toBeNull();
  },
);
