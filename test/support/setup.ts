import 'reflect-metadata';
import { configureGlobal } from 'fast-check';

// The same examples at every run, so that a red run can be repeated; another TEST_SEED tries others.
configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 20_261_120) });
