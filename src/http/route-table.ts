import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type AccessRule, accessRuleOf, type KeyRule, keyRuleOf } from './access.js';

export interface Route {
  readonly method: string;
  /** As declared, without the version prefix: `secure/user/:id`. */
  readonly path: string;
  readonly access: AccessRule;
  /** One of these scopes is what an API key needs; none: no key gets in. */
  readonly keys: KeyRule;
}

type Handler = (...args: never[]) => unknown;

/** Every route there is, read from the controllers themselves. */
@Injectable()
export class RouteTable {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error that names every route without an access rule. */
  routes(): readonly Route[] {
    const found = this.discovery.getControllers().flatMap(({ instance }) => this.routesOf(instance as object));
    const open = found.filter((route) => route.access === null).map((route) => `${route.method} ${route.path}`);
    if (open.length > 0) throw new Error(`These routes declare no access rule: ${open.join(', ')}`);
    return found.map((route) => ({ ...route, access: route.access ?? 'system' }));
  }

  private routesOf(controller: object): readonly (Omit<Route, 'access'> & { readonly access: AccessRule | null })[] {
    const prototype = Object.getPrototypeOf(controller) as Record<string, Handler>;
    const type = controller.constructor as new () => object;
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (handler === undefined || !Reflect.hasMetadata(PATH_METADATA, handler)) return [];
      const path = [Reflect.getMetadata(PATH_METADATA, type), Reflect.getMetadata(PATH_METADATA, handler)]
        .map((part) => String(part).replace(/^\/|\/$/g, ''))
        .filter((part) => part !== '')
        .join('/');
      const method = RequestMethod[Number(Reflect.getMetadata(METHOD_METADATA, handler))] ?? 'GET';
      const access = accessRuleOf(this.reflector, [handler, type]);
      return [{ method, path, access, keys: keyRuleOf(this.reflector, [handler, type], method) }];
    });
  }
}
