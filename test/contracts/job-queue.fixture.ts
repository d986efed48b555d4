import { type JobHandler, type JobHandlers, type JobQueue } from '../../src/ports/job-queue.js';
import { JOB_POLICIES, type JobName, type JobPolicy } from '../../src/ports/jobs.js';
import { asId, type CompanyId, type DatasourceId } from '../../src/shared/ids.js';

export type JobPolicies = Readonly<Record<JobName, JobPolicy>>;

/** Opens an empty queue with these policies. */
export type StartQueue = (policies: JobPolicies) => Promise<JobQueue>;

export type Payload = Parameters<JobHandler<'datasource.import'>['run']>[0];
export type Run = (payload: Payload, signal: AbortSignal, attempt: number) => Promise<void> | void;

export const IMPORT = 'datasource.import';
const FAST: JobPolicy = { concurrency: 1, attempts: 3, backoffMs: 1, timeoutMs: 60_000 };

const IDLE: JobHandler<JobName> = { run: () => Promise.resolve(), giveUp: () => Promise.resolve() };

/** A handler for every job that does nothing. */
export const NO_WORK = Object.fromEntries(
  Object.keys(JOB_POLICIES).map((name) => [name, IDLE]),
) as unknown as JobHandlers;

/** Something that a test waits for, and lets happen. */
export class Gate {
  readonly #promise: Promise<void>;
  #open: () => void = () => undefined;

  constructor() {
    this.#promise = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }

  passed(): Promise<void> {
    return this.#promise;
  }
}

export function payloadOf(company: string, key: string): Payload {
  return { companyId: asId<CompanyId>(company), datasourceId: asId<DatasourceId>(key) };
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

/** A run that says when it has begun, and ends when it is let go. */
export function heldRun(): { readonly begun: Gate; readonly go: Gate; readonly run: Run } {
  const [begun, go] = [new Gate(), new Gate()];
  const run = async (): Promise<void> => {
    begun.open();
    await go.passed();
  };
  return { begun, go, run };
}

/** A run that says when it has begun, and fails when it is aborted. */
export function endlessRun(): { readonly begun: Gate; readonly run: Run } {
  const begun = new Gate();
  const run: Run = async (_payload, signal) => {
    begun.open();
    await aborted(signal);
    throw new Error('aborted');
  };
  return { begun, run };
}

export interface QueueUnderTest {
  readonly queue: JobQueue;
  readonly ask: (key: string, company?: string) => Promise<void>;
  readonly start: () => void;
  /** The keys of what was run, in order. */
  readonly runs: string[];
  /** `key: reason` */
  readonly givenUp: string[];
}

/** A queue of imports that tells what was run and what was given up. */
export async function aQueue(
  open: StartQueue,
  run: Run = () => undefined,
  policy: Partial<JobPolicy> = {},
): Promise<QueueUnderTest> {
  const runs: string[] = [];
  const givenUp: string[] = [];
  const handler: JobHandler<'datasource.import'> = {
    run: async (payload, signal) => {
      runs.push(payload.datasourceId);
      await run(payload, signal, runs.filter((key) => key === payload.datasourceId).length);
    },
    giveUp: (payload, error) => {
      givenUp.push(`${payload.datasourceId}: ${error.message}`);
      return Promise.resolve();
    },
  };
  const queue = await open({ ...JOB_POLICIES, [IMPORT]: { ...FAST, ...policy } });
  return {
    ...{ queue, runs, givenUp },
    ask: (key, company = 'acme') => queue.enqueue(IMPORT, key, payloadOf(company, key)),
    start: () => {
      queue.start({ ...NO_WORK, [IMPORT]: handler });
    },
  };
}
