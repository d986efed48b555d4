import { describe, expect, it } from 'vitest';
import { isPublicAddress, webhookAddressProblem } from './public-address.js';

describe('an address on the public internet', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80e::200e'])(
    'is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(['', 'localhost', '8.8.8', '8.8.8.8.8', '10.1.2.3', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::'])(
    'is not %j',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );
});

describe('the address of a webhook', () => {
  it.each([
    'https://hooks.example.com/a?b=c#d',
    'https://8.8.8.8:8443/',
    'https://[2606:4700::1]/',
    'HTTPS://A.EXAMPLE',
  ])('may be %s', (url) => {
    expect(webhookAddressProblem(url)).toBeNull();
  });
});
