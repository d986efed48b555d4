const WINDOW_MS = 5000;
const FIRST_AFTER_MS = 800;

/** The speed of the last seconds: steady enough to be read, quick enough to be true. */
export class Speedometer {
  private marks: { readonly at: number; readonly sent: number }[] = [];

  /** Bytes a second; null as long as it can't be told. */
  speedAt(sent: number, at: number): number | null {
    this.marks = [...this.marks.filter((mark) => at - mark.at <= WINDOW_MS), { at, sent }];
    const first = this.marks[0];
    if (first === undefined || at - first.at < FIRST_AFTER_MS) return null;
    return ((sent - first.sent) / (at - first.at)) * 1000;
  }
}
