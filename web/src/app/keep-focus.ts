/** A button that waits is disabled, for which the browser takes the focus from it: it comes back, unless something else has it by then. */
export function keepFocus(): void {
  let left: Element | null = null;
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLButtonElement)) continue;
      if (target.disabled && target === document.activeElement) left = target;
      if (target.disabled || target !== left) continue;
      left = null;
      if (document.activeElement === document.body) target.focus({ preventScroll: true });
    }
  }).observe(document, { subtree: true, attributeFilter: ['disabled'] });
}
