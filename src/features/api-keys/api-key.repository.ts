import { repositoryOf } from '../../ports/tenant-repository.js';
import { API_KEYS } from './api-key.schema.js';

export class ApiKeyRepository extends repositoryOf(API_KEYS) {}
