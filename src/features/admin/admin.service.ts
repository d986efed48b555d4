import { Injectable } from '@nestjs/common';
import { IdSource } from '../../ports/id-source.js';
import { AppError } from '../../shared/app-error.js';
import { asId, isId } from '../../shared/ids.js';
import { isRecord, type JsonObject, type JsonValue } from '../../shared/json.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { CompanyFacade, companyView, type Company } from '../company/company.facade.js';
import { SettingsFacade, settingsView } from '../settings/settings.facade.js';
import { UsersFacade, fullUser, type User } from '../users/users.facade.js';
import type { NewUserOptions, Outcome } from './admin.types.js';

/** What an operator can do to companies and users. Every failure is an AppError whose message is for a person. */
@Injectable()
export class AdminService {
  constructor(
    private readonly companies: CompanyFacade,
    private readonly accounts: UsersFacade,
    private readonly settings: SettingsFacade,
    private readonly auth: AuthFacade,
    private readonly ids: IdSource,
  ) {}

  async createCompany(name: string): Promise<Outcome> {
    const company = await this.companies.create(name);
    await this.settings.ensure(company.id);
    return {
      text: `Created the company "${company.name}" with the id ${company.id}.`,
      record: companyView(company),
    };
  }

  async listCompanies(): Promise<Outcome> {
    const companies = await this.companies.list();
    return {
      text: lines(companies, ({ id, name }) => `${id}  ${name}`, 'There are no companies yet.'),
      record: companies.map(companyView),
    };
  }

  async createUser(options: NewUserOptions): Promise<Outcome> {
    const { email, role, password, firstName = '', lastName = '' } = options;
    const company = await this.company(options.company);
    const chosen = password ?? this.ids.token();
    const draft = { companyId: company.id, email, role, password: chosen, firstName, lastName };
    const user = await this.accounts.create(draft);
    const created = `Created the ${user.role} ${user.email} of "${company.name}" with the id ${user.id}.`;
    if (password !== undefined) return { text: created, record: fullUser(user) };
    return {
      text: `${created}\nPassword: ${chosen} (shown once)`,
      record: Object.assign(fullUser(user), { password: chosen }),
    };
  }

  async listUsers(): Promise<Outcome> {
    const users = await this.accounts.all();
    return {
      text: lines(users, userLine, 'There are no users yet.'),
      record: users.map(fullUser),
    };
  }

  async setRole(email: string, role: string): Promise<Outcome> {
    const user = await this.accounts.setRole(email, role);
    await this.auth.endSessionsOf(user.companyId, user.id);
    return changed(user, `${user.email} is a ${user.role} now and is signed out everywhere.`);
  }

  async setPassword(email: string, password: string): Promise<Outcome> {
    const user = await this.accounts.setPassword(email, password);
    await this.auth.endSessionsOf(user.companyId, user.id);
    return changed(user, `${user.email} has a new password and is signed out everywhere.`);
  }

  async activate(email: string): Promise<Outcome> {
    const user = await this.accounts.setActive(email, true);
    return changed(user, `${user.email} is active.`);
  }

  async deactivate(email: string): Promise<Outcome> {
    const user = await this.accounts.setActive(email, false);
    await this.auth.endSessionsOf(user.companyId, user.id);
    return changed(user, `${user.email} is inactive and signed out everywhere.`);
  }

  async setSettings(companyId: string, config: JsonObject): Promise<Outcome> {
    const company = await this.company(companyId);
    const settings = await this.settings.set(company.id, config);
    return {
      text: `Set the settings of "${company.name}".`,
      record: Object.assign(settingsView(settings), { id: settings.id }),
    };
  }

  private async company(text: string): Promise<Company> {
    const id = text.toLowerCase();
    if (!isId(id)) throw new AppError('invalid_input', 'company must be an identifier of 24 hexadecimal digits');
    const company = await this.companies.find(asId(id));
    if (company === null) throw new AppError('not_found', `there is no company with the id ${id}`);
    return company;
  }
}

function changed(user: User, text: string): Outcome {
  return { text, record: fullUser(user) };
}

function userLine(user: User): string {
  return [user.id, user.email, user.role, user.isActive ? 'active' : 'inactive', `company ${user.companyId}`].join(
    '  ',
  );
}

function lines<T>(entries: readonly T[], lineOf: (entry: T) => string, none: string): string {
  return entries.length === 0 ? none : entries.map(lineOf).join('\n');
}

/** Reads the text of `--config`. */
export function configFrom(text: string): JsonObject {
  const value = parsed(text);
  if (isRecord(value)) return value;
  throw new AppError('invalid_input', 'config must be a JSON object, such as {"theme":"dark"}');
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Text that is no JSON is as wrong as JSON that is no object.
    return null;
  }
}
