import { TraceFlags, isSpanContextValid, type SpanContext } from '@opentelemetry/api';

const FORM = /^[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?:-.*)?$/;
/** The version that will never be, and the first one with something behind it. */
const NOT_YET = /^ff|^00.{53}./;
const SAMPLED = 1;

/** The span that a W3C `traceparent` names; `null` when it names none. Later versions may have more behind it, the first may not. */
export function remoteSpan(traceparent: string | null): SpanContext | null {
  const parts = traceparent === null || NOT_YET.test(traceparent) ? null : FORM.exec(traceparent);
  if (parts?.groups === undefined) return null;
  const { traceId, spanId, flags } = parts.groups as Readonly<Record<'traceId' | 'spanId' | 'flags', string>>;
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0;
  const span = { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
  return isSpanContextValid(span) ? span : null;
}

export function traceparentOf(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
