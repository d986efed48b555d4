import { Injectable } from '@nestjs/common';
import { AppError } from '../../shared/app-error.js';
import type { Principal } from '../../shared/principal.js';
import { CompanyRepository } from './company.repository.js';
import type { Company } from './company.types.js';

@Injectable()
export class CompanyService {
  constructor(private readonly companies: CompanyRepository) {}

  /** The caller's own. */
  async current(by: Principal): Promise<Company> {
    const company = await this.companies.find(by.companyId);
    if (company === null) throw new AppError('not_found', 'company not found');
    return company;
  }
}
