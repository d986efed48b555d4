import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { WebhookCourier } from './webhook-courier.js';

type Deliver = JobPayloads['webhook.deliver'];

@Injectable()
export class WebhookProcessor extends JobProcessor<'webhook.deliver'> {
  override readonly job = 'webhook.deliver';

  constructor(private readonly courier: WebhookCourier) {
    super();
  }

  override run(payload: Deliver, signal: AbortSignal): Promise<void> {
    return this.courier.deliver(payload, signal);
  }

  override giveUp(payload: Deliver, error: Error): Promise<void> {
    return this.courier.giveUp(payload, error);
  }
}
