import { describe, expect, it } from 'vitest';
import { packVector, unpackVector } from './packed-vector.js';

function aVector(seed: number, dimension: number): Float32Array {
  const raw = Float32Array.from({ length: dimension }, (_, n) => Math.sin(seed * 12.9898 + n * 78.233));
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
}

describe('a packed vector', () => {
  it.each([3, 256, 1024, 3072])('of %i dimensions comes back nearly as it was, of length 1', (dimension) => {
    const vector = aVector(dimension, dimension);
    const unpacked = unpackVector(packVector(vector))!;
    expect(unpacked).toHaveLength(dimension);
    expect(Math.hypot(...unpacked)).toBeCloseTo(1, 5);
    expect(cosine(vector, unpacked)).toBeGreaterThan(0.999);
  });

  it('that is none comes back as none', () => {
    expect(unpackVector(packVector(new Float32Array(8)))).toBeNull();
    expect(unpackVector('')).toBeNull();
  });
});
