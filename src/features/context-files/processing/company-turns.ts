import { Injectable } from '@nestjs/common';
import type { CompanyId } from '../../../shared/ids.js';

/** One file of a company at a time: a company that sends what is slow to read can't hold every place. */
@Injectable()
export class CompanyTurns {
  private readonly busy = new Set<CompanyId>();

  /** Null when the company has its turn already. Dispose of it when done. */
  take(companyId: CompanyId): Disposable | null {
    if (this.busy.has(companyId)) return null;
    this.busy.add(companyId);
    return { [Symbol.dispose]: () => void this.busy.delete(companyId) };
  }
}
