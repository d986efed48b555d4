import { FatalJobError } from '../../ports/job-queue.js';
import { JOB_POLICIES, type JobPayloads } from '../../ports/jobs.js';
import type { Log } from '../../ports/log.js';
import { JobProcessor } from '../../queue/job-processor.js';
import { isAppError, messageOf } from '../../shared/app-error.js';
import type { DeliveryLedger } from './delivery-ledger.js';
import type { Delivery } from './delivery.schema.js';

type DeliveryJob = 'webhook.deliver' | 'mail.deliver';

/** Base of what brings messages to receivers; writes down how it went. */
export abstract class DeliveryCourier<N extends DeliveryJob> extends JobProcessor<N> {
  /** What the log says of a message that nobody will send again. */
  protected abstract readonly failure: string;

  protected constructor(
    private readonly ledger: DeliveryLedger,
    private readonly log: Log,
  ) {
    super();
  }

  /** @throws AppError `invalid_input` when trying again can't help. */
  protected abstract send(delivery: Delivery, signal: AbortSignal): Promise<void>;

  /** @throws FatalJobError when trying again can't help or has not helped, else the error of the attempt. */
  override async run({ companyId, deliveryId }: JobPayloads[N], signal: AbortSignal): Promise<void> {
    const delivery = await this.ledger.take(companyId, deliveryId);
    if (delivery === null) return;
    using lease = this.ledger.keep(delivery, signal);
    try {
      await this.send(delivery, lease.signal);
    } catch (error) {
      await this.ledger.missed(delivery, error);
      if (!this.isHopeless(delivery, error)) throw error;
      throw new FatalJobError(messageOf(error), { cause: error });
    }
    await this.ledger.delivered(delivery);
  }

  override async giveUp({ companyId, deliveryId }: JobPayloads[N], error: Error): Promise<void> {
    const failed = await this.ledger.failed(companyId, deliveryId, error.message);
    if (failed === null) return;
    const { event, attempts } = failed;
    this.log.warn(this.failure, { companyId, deliveryId, event, attempts, reason: error.message });
  }

  /** Attempts are counted across restarts: a queue counts from one again, the delivery does not. */
  private isHopeless({ attempts }: Delivery, error: unknown): boolean {
    return isAppError(error, 'invalid_input') || attempts >= JOB_POLICIES[this.job].attempts;
  }
}
