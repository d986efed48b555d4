import { Injectable } from '@nestjs/common';
import { type AnswerStep, failureSentence, type FoldedAnswer, toChatEvent } from '../../../answering/answer-step.js';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import type { ChatHappening } from '../../../ports/stream-event.js';
import type { MessageId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { AnswerRunner } from './answer-runner.js';
import type { BegunAnswer, ChatRequest } from './begun-answer.js';
import { ChatDoor } from './chat-door.js';

/** Takes questions, and gives their answers at once or as a stream. */
@Injectable()
export class ChatService {
  constructor(
    private readonly door: ChatDoor,
    private readonly runner: AnswerRunner,
    private readonly events: EventStream,
    private readonly clock: Clock,
  ) {}

  /** The whole answer; `tell` hears how it comes about. Aborting the signal (the asker went away) ends the work. */
  async ask(
    by: Principal,
    request: ChatRequest,
    signal: AbortSignal,
    tell: (step: AnswerStep) => void = () => undefined,
  ): Promise<FoldedAnswer> {
    const { begun, leave } = await this.door.enter(by, request);
    const { answer, plan, failure } = await this.runner.run(begun, signal, tell).finally(leave);
    if (failure !== null) throw failure;
    return { answer, plan };
  }

  /** The id under which the answer's pieces are told to the asker's sockets. */
  async stream(by: Principal, request: ChatRequest): Promise<MessageId> {
    const { begun, leave } = await this.door.enter(by, request);
    const tell = this.teller(begun);
    // Before the id is given away, so that a socket on it is never too early.
    tell({ type: 'chat-loading', step: 'Looking at the datasource' });
    // Nobody waits for it: it never rejects, and its end is told and stored.
    void this.tellAnswer(begun, tell).finally(leave);
    return begun.messageId;
  }

  private async tellAnswer(begun: BegunAnswer, tell: (happening: ChatHappening) => void): Promise<void> {
    const { answer, plan, failure } = await this.runner.run(begun, null, (step) => {
      const happening = toChatEvent(step);
      if (happening !== null) tell(happening);
    });
    // Told last, when everything is stored: whoever hears it can ask the next question.
    tell(
      failure === null
        ? { type: 'chat-complete', response: answer, plan }
        : { type: 'chat-error', error: failureSentence(failure) },
    );
  }

  private teller({ conversation, messageId }: BegunAnswer): (happening: ChatHappening) => void {
    const { companyId, userId, id: conversationId } = conversation;
    let seq = 0;
    return (happening) => {
      seq += 1;
      this.events.publish({ ...happening, companyId, userId, conversationId, messageId, seq, at: this.clock.now() });
    };
  }
}
