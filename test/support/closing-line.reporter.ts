import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints one plain closing line, `N passed, N failed, N skipped`, that any reader of a log can find, and before it the tests that
 * passed at their second try alone, and why they did not at their first.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const again: string[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state !== 'pending') count[state] += 1;
        if (test.diagnostic()?.flaky === true)
          again.push(`${module.relativeModuleId} > ${test.fullName}: ${errors?.[0]?.message.split('\n')[0] ?? ''}`);
      }
      // A file that could not be loaded has no tests, and must not look like nothing happened.
      if (module.errors().length > 0) count.failed += 1;
    }
    for (const name of again) console.log(`passed at its second try: ${name}`);
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
