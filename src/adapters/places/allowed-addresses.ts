import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../shared/app-error.js';
import { isMetadataAddress, isPublicAddress } from '../../shared/public-address.js';
import { type AddressRules, askNameServers, checkedAddresses, onlyThese } from '../network/checked-addresses.js';
import type { PlaceRules } from './place-protocol.js';

/** Whom may be spoken to: the public internet with encryption, and networks that the operator allows. */
export class AllowedAddresses {
  private readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  constructor(private readonly rules: PlaceRules) {
    this.networks = rules.networks.map((text) =>
      ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`),
    );
  }

  /**
   * A look-up that knows what was checked alone, for the one connection to the host.
   *
   * @throws AppError `invalid_input` when an address of the host is not allowed, `unavailable` when its name can't be found.
   */
  async lookupOf(host: string, isEncrypted: boolean): Promise<LookupFunction> {
    return onlyThese(await this.of(host, isEncrypted));
  }

  /** Looks up and checks at every connection, for a client that chooses its hosts itself. Hosts that are addresses are not looked up: ask `lookupOf` first. */
  lookup(isEncrypted: boolean): LookupFunction {
    return (host, options, answer) => {
      void this.of(host, isEncrypted).then(
        (addresses) => {
          onlyThese(addresses)(host, options, answer);
        },
        (error: unknown) => {
          answer(error instanceof Error ? error : new Error(String(error)), []);
        },
      );
    };
  }

  private of(host: string, isEncrypted: boolean): Promise<readonly LookupAddress[]> {
    const rules: AddressRules = {
      resolve: (name) => askNameServers(name, this.rules.nameServers),
      isAllowed: (address) => (isEncrypted && isPublicAddress(address)) || this.isOfOperator(address),
    };
    return checkedAddresses(host, rules, 'place').catch((error: unknown) => {
      if (isEncrypted || !(error instanceof AppError) || error.kind !== 'invalid_input') throw error;
      throw new AppError('invalid_input', 'the place must be asked with encryption');
    });
  }

  private isOfOperator(text: string): boolean {
    const address = ipaddr.parse(text);
    if (isMetadataAddress(text)) return false;
    return this.networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}
