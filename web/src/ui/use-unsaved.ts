import { t } from '@lingui/core/macro';
import { useBlocker } from '@tanstack/react-router';

/** Asks before what was filled in is left behind: by a link, a tab of the page, the back button, or by closing the window. */
export function useUnsaved(isUnsaved: boolean, question = t`The changes are not saved. Leave without them?`): void {
  useBlocker({
    shouldBlockFn: () => !window.confirm(question),
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
  });
}
