import { OBJECT_AREAS, type ObjectKey } from '../../ports/object-store.js';
import { AppError } from '../../shared/app-error.js';
import { isId } from '../../shared/ids.js';
import { isRecord } from '../../shared/json.js';

const FULL = ['ENOSPC', 'EDQUOT'];
const AWAY = ['EACCES', 'EPERM', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOTDIR', 'ENODEV', 'ENXIO', 'ESTALE', 'EBUSY'];

/** What an error of the file system means to a caller; every other error stays as it is. Never names a path. */
export function storageError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  if (FULL.includes(code)) return new AppError('no_space', 'no room left on the storage', { cause: error });
  return AWAY.includes(code) ? away(error) : error;
}

export function away(cause: unknown): AppError {
  return new AppError('unavailable', 'the file storage is not available', { retryAfter: 5, cause });
}

export function notThere(): AppError {
  return new AppError('not_found', 'file not found');
}

export function alreadyThere(): AppError {
  return new AppError('conflict', 'there is a file of this name already');
}

export function notAllowed(): AppError {
  return new AppError('invalid_input', 'the name of the file is not allowed');
}

/** The code of a failed system call on a file; a broken connection is none. */
export function codeOf(error: unknown): string | null {
  if (!isRecord(error) || typeof error['code'] !== 'string' || typeof error['syscall'] !== 'string') return null;
  return error['code'];
}

const NAME_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Whether there can be such an object; what can't be is never made a path of. */
export function isPossible({ companyId, area, name }: ObjectKey): boolean {
  return isId(companyId) && OBJECT_AREAS.includes(area) && NAME_FORM.test(name);
}
