import type { FactoryProvider, Provider } from '@nestjs/common';
import { ObservedJobQueue } from './adapters/observed/observed-job-queue.js';
import { ObservedRowEngine } from './adapters/observed/observed-row-engine.js';
import { ObservedRowReader } from './adapters/observed/observed-row-reader.js';
import type { Observers } from './adapters/observed/observers.js';
import { JobQueue } from './ports/job-queue.js';
import { Metrics } from './ports/metrics.js';
import { RowEngine } from './ports/row-engine.js';
import { RowReader } from './ports/row-reader.js';
import { Tracing } from './ports/tracing.js';

/** Puts an observer around what a port's factory made. */
function around<T extends object>(
  made: unknown,
  port: abstract new (...args: never[]) => T,
  wrap: (made: T) => T,
): unknown {
  return made instanceof port ? wrap(made) : made;
}

function observedThing(made: unknown, observers: Observers): unknown {
  let thing = around(made, JobQueue, (queue) => new ObservedJobQueue(queue, observers));
  thing = around(thing, RowEngine, (engine) => new ObservedRowEngine(engine, observers));
  return around(thing, RowReader, (reader) => new ObservedRowReader(reader, observers));
}

/** The providers, with whatever an operator wants to know about observed. When nobody does, ports are their adapters themselves. */
export function observedProviders(providers: readonly Provider[]): Provider[] {
  const ports: readonly unknown[] = [JobQueue, RowEngine, RowReader];
  return providers.map((provider) =>
    isFactory(provider) && ports.includes(provider.provide) ? observedProvider(provider) : provider,
  );
}

function observedProvider({ provide, useFactory, inject = [] }: FactoryProvider): Provider {
  return {
    provide,
    inject: [Metrics, Tracing, ...inject],
    useFactory: async (metrics: Metrics, tracing: Tracing, ...needs: unknown[]): Promise<unknown> => {
      const made: unknown = await useFactory(...needs);
      return metrics.on || tracing.on ? observedThing(made, { metrics, tracing }) : made;
    },
  };
}

function isFactory(provider: Provider): provider is FactoryProvider {
  return typeof provider === 'object' && 'useFactory' in provider;
}
