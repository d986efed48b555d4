/** The text of every success, in one place. */
export const SUCCESS_MESSAGES = [
  'login successful',
  'token refreshed',
  'logged out',
  'current user',
  'user retrieved',
  'users retrieved',
  'company retrieved',
  'settings retrieved',
  'datasource file uploaded',
  'datasource created',
  'datasource retrieved',
  'datasources retrieved',
  'plain datasources retrieved',
  'datasource deleted',
  'data view retrieved',
  'conversations retrieved',
  'conversation retrieved',
  'conversation created',
  'conversation deleted',
  'conversation history retrieved',
  'assistant response retrieved',
  'assistant message stream started',
  'service alive',
  'service ready',
] as const;

export type SuccessMessage = (typeof SUCCESS_MESSAGES)[number];
