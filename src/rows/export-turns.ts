import { AppError } from '../shared/app-error.js';
import type { CompanyId } from '../shared/ids.js';

const MOST_OF_A_COMPANY = 2;
const MOST = 4;
const RETRY_AFTER_S = 15;

/** How many exports run at once: few, so that one company's do not keep others waiting. */
export class ExportTurns {
  private readonly running = new Map<symbol, CompanyId>();

  /**
   * Lets one more run until what is returned is called.
   *
   * @throws AppError `rate_limited` when there are too many.
   */
  take(companyId: CompanyId): () => void {
    const own = [...this.running.values()].filter((one) => one === companyId).length;
    if (own >= MOST_OF_A_COMPANY) throw tooMany(`your company has ${own} exports running`);
    if (this.running.size >= MOST) throw tooMany('other exports are running');
    const turn = Symbol();
    this.running.set(turn, companyId);
    return () => {
      this.running.delete(turn);
    };
  }
}

function tooMany(why: string): AppError {
  return new AppError('rate_limited', `${why}: try again when one is done`, { retryAfter: RETRY_AFTER_S });
}
