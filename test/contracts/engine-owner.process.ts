import { EngineProcess } from '../../src/rows/engine/engine-client.js';

/** A service that has nothing but an engine, for tests that end it. Says the engine's process id. */
const engine = new EngineProcess({
  dataDir: process.argv[2] ?? '',
  mongodbUri: null,
  importMemoryMb: 512,
  engineMemoryMb: 512,
  rowCacheBytes: 1e9,
});
await engine.start();
process.send?.(engine.pid);
