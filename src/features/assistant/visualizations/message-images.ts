import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ImageSweeper } from '../../../answering/image-sweeper.js';
import type { CompanyId } from '../../../shared/ids.js';
import { MessageRepository } from '../history/message.repository.js';

/** The images of stored messages stay. */
@Injectable()
export class MessageImages implements OnModuleInit {
  constructor(
    private readonly messages: MessageRepository,
    private readonly sweeper: ImageSweeper,
  ) {}

  onModuleInit(): void {
    this.sweeper.alsoShown((companyId) => this.shown(companyId));
  }

  private async *shown(companyId: CompanyId): AsyncGenerator<string> {
    for await (const { response } of this.messages.allOf(companyId)) {
      const name = response?.visualization ?? '';
      if (name !== '') yield name;
    }
  }
}
