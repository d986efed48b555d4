import 'reflect-metadata';
import { configureGlobal } from 'fast-check';
import { afterAll } from 'vitest';
import { leaveServers, way } from './way.js';

// The same examples at every run, so that a red run can be repeated; another TEST_SEED tries others.
configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 20_261_120) });

if (way !== 'embedded') afterAll(leaveServers);
