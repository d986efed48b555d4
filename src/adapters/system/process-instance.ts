import { randomUUID } from 'node:crypto';
import { Instance } from '../../ports/instance.js';

/** This process. It is `alone` when it holds its data folder, and one of many when it shares a store with others. */
export class ProcessInstance extends Instance {
  override readonly id = randomUUID();

  constructor(override readonly alone: boolean) {
    super();
  }
}
