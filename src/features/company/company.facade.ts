import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { type Collection, DocumentStore } from '../../ports/document-store.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError, onKind } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { COMPANIES, type Company } from './company.schema.js';
import type { Principal } from '../../shared/principal.js';

export type { Company } from './company.schema.js';
export { CompanyView, companyView } from './company.wire.js';

/** Companies for signing in and for administration. */
@Injectable()
export class CompanyFacade {
  private readonly companies: Collection<Company>;

  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    this.companies = store.collection(COMPANIES);
  }

  /** Whether its users may sign in and stay. */
  async isOpen(id: CompanyId): Promise<boolean> {
    const company = await this.find(id);
    return company?.isActive === true && company.deletedAt === null;
  }

  /** The caller's own. */
  async current(by: Principal): Promise<Company> {
    const company = await this.find(by.companyId);
    if (company === null) throw new AppError('not_found', 'company not found');
    return company;
  }

  find(id: CompanyId): Promise<Company | null> {
    return this.companies.get(id);
  }

  count(): Promise<number> {
    return this.companies.count({});
  }

  list(): Promise<readonly Company[]> {
    return this.companies.find({}, { sort: [['id', 'asc']] });
  }

  /** @throws AppError `invalid_input` when the name is blank. */
  async create(name: string): Promise<Company> {
    const company = newCompany(this.ids.next(), name, this.clock.now());
    await this.companies.insert(company);
    return company;
  }

  /** Makes the company unless it is there. */
  async ensure(id: CompanyId, name: string): Promise<void> {
    await this.companies.insert(newCompany(id, name, this.clock.now())).catch(onKind('conflict', () => undefined));
  }
}

function newCompany(id: CompanyId, name: string, now: Date): Company {
  if (name.trim() === '') throw new AppError('invalid_input', 'name must not be empty');
  return { id, name: name.trim(), meta: {}, isActive: true, createdAt: now, updatedAt: now, deletedAt: null };
}
