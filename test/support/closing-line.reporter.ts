import type { Reporter, TestModule } from 'vitest/node';

/** Prints one plain closing line, `N passed, N failed, N skipped`, that any reader of a log can find. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') count[state] += 1;
      }
      // A file that could not be loaded has no tests, and must not look like nothing happened.
      if (module.errors().length > 0) count.failed += 1;
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
