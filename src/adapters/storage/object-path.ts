import { OBJECT_AREAS, type ObjectKey } from '../../ports/object-store.js';
import { isId } from '../../shared/ids.js';

const NAME_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Whether there can be such an object; what can't be is never made a path of. */
export function isPossible({ companyId, area, name }: ObjectKey): boolean {
  return isId(companyId) && OBJECT_AREAS.includes(area) && NAME_FORM.test(name);
}
