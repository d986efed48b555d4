import type { Redis } from 'ioredis';
import { connectRedis } from '../redis/redis-connection.js';

/** What the queues and workers of an instance share. */
export class JobConnections {
  /** Fails soon while Redis is away. */
  readonly quick: Redis;
  /** Waits for it, as workers have to. */
  readonly patient: Redis;
  private readonly bell: Redis;

  constructor(
    url: string,
    private readonly channel: string,
  ) {
    this.quick = connectRedis(url, 'jobs');
    this.patient = connectRedis(url, 'jobs-workers', { patient: true });
    this.bell = connectRedis(url, 'jobs-bell', { patient: true });
    // Subscribed again by itself whenever the connection comes back.
    void this.bell.subscribe(channel).catch(() => undefined);
  }

  /** Tells every instance that a job which runs was cancelled. */
  async tellCancelled(id: string): Promise<void> {
    await this.quick.publish(this.channel, id);
  }

  onCancelled(listener: (id: string) => void): void {
    this.bell.on('message', (_channel, id) => {
      listener(id);
    });
  }

  close(): void {
    for (const connection of [this.quick, this.patient, this.bell]) connection.disconnect();
  }
}
