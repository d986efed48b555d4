export { ApiError, SignedOutError, type FieldProblem } from './api-error.js';
export type { SessionState } from './authority.js';
export { Client, createClient, type ClientOptions, type Download } from './client.js';
export type { components, paths } from './schema.js';
export { browserStore, memoryStore, type Session, type SessionStore, type User } from './session.js';
export type { SocketClass, Stream, StreamOptions, StreamState } from './stream.js';
export type { StreamEventName, StreamEvents, StreamFrame } from './stream-events.js';
export type { NamedBytes, UploadFile, UploadOptions, UploadProgress } from './upload.js';
