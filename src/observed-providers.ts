import type { FactoryProvider, Provider } from '@nestjs/common';
import { observedPort } from './adapters/observed/observed-ports.js';
import { JobQueue } from './ports/job-queue.js';
import { Metrics } from './ports/metrics.js';
import { RowEngine } from './ports/row-engine.js';
import { RowReader } from './ports/row-reader.js';
import { Tracing } from './ports/tracing.js';

const OBSERVED: readonly unknown[] = [JobQueue, RowEngine, RowReader];

/** The providers, with whatever an operator wants to know about observed. When nobody does, ports are their adapters themselves. */
export function observedProviders(providers: readonly Provider[]): Provider[] {
  return providers.map((provider) =>
    isFactory(provider) && OBSERVED.includes(provider.provide) ? observedProvider(provider) : provider,
  );
}

function observedProvider({ provide, useFactory, inject = [] }: FactoryProvider): Provider {
  return {
    provide,
    inject: [Metrics, Tracing, ...inject],
    useFactory: async (metrics: Metrics, tracing: Tracing, ...needs: unknown[]): Promise<unknown> => {
      const made: unknown = await useFactory(...needs);
      return metrics.on || tracing.on ? observedPort(made, metrics) : made;
    },
  };
}

function isFactory(provider: Provider): provider is FactoryProvider {
  return typeof provider === 'object' && 'useFactory' in provider;
}
