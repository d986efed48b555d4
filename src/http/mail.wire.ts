/** How a mail stands that told of something. */
export class MailView {
  readonly to!: string;
  /** pending, delivered to the mail server, or failed when nothing will retry. */
  readonly status!: 'pending' | 'delivered' | 'failed';
  /** Why the last attempt failed. */
  readonly error!: string | null;
}
