import { repositoryOf } from '../../ports/tenant-repository.js';
import { USERS, type User } from './user.schema.js';

/** The users of all companies. What is asked on behalf of a person names that person's company. */
export class UsersRepository extends repositoryOf(USERS, 'user') {
  /** Of whatever company: who signs in does not say which. */
  async findByEmail(email: string): Promise<User | null> {
    const [user] = await this.anywhere({ email: email.toLowerCase() }, { limit: 1 });
    return user ?? null;
  }
}
