import { Injectable } from '@nestjs/common';
import { IdSource } from '../../ports/id-source.js';
import { AppError } from '../../shared/app-error.js';
import { asId, type Id, isId } from '../../shared/ids.js';
import { isRecord, type JsonObject, parsedJson } from '../../shared/json.js';
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
    const user = await this.accounts.changeOf(await this.user(email), { role });
    return this.signedOut(user, `is a ${user.role} now and is`);
  }

  async setPassword(email: string, password: string): Promise<Outcome> {
    const user = await this.accounts.setPasswordOf(await this.user(email), password);
    return this.signedOut(user, 'has a new password and is');
  }

  async activate(email: string): Promise<Outcome> {
    const user = await this.accounts.changeOf(await this.user(email), { isActive: true });
    return { text: `${user.email} is active.`, record: fullUser(user) };
  }

  async deactivate(email: string): Promise<Outcome> {
    const user = await this.accounts.changeOf(await this.user(email), { isActive: false });
    return this.signedOut(user, 'is inactive and');
  }

  async setSettings(companyId: string, config: JsonObject): Promise<Outcome> {
    const company = await this.company(companyId);
    const settings = await this.settings.set(company.id, config);
    return {
      text: `Set the settings of "${company.name}".`,
      record: Object.assign(settingsView(settings), { id: settings.id }),
    };
  }

  private async signedOut(user: User, what: string): Promise<Outcome> {
    await this.auth.endSessionsOf(user.companyId, user.id);
    return { text: `${user.email} ${what} signed out everywhere.`, record: fullUser(user) };
  }

  private async user(email: string): Promise<User> {
    const user = await this.accounts.findByEmail(email);
    if (user === null) throw new AppError('not_found', 'user not found');
    return user;
  }

  private async company(text: string): Promise<Company> {
    const id = idFrom<Company['id']>('company', text);
    const company = await this.companies.find(id);
    if (company === null) throw new AppError('not_found', `there is no company with the id ${id}`);
    return company;
  }
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
  const value = parsedJson(text);
  if (isRecord(value)) return value as JsonObject;
  throw new AppError('invalid_input', 'config must be a JSON object, such as {"theme":"dark"}');
}

/** Reads an id that was given as the option of that name. @throws AppError `invalid_input` */
export function idFrom<T extends Id<string>>(option: string, text: string): T {
  const id = text.toLowerCase();
  if (isId(id)) return asId(id);
  throw new AppError('invalid_input', `${option} must be an identifier of 24 hexadecimal digits`);
}
