declare const brand: unique symbol;

/** A text of 24 hexadecimal digits that names one kind of thing; one kind does not fit where another is wanted. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type CompanyId = Id<'company'>;
export type UserId = Id<'user'>;
export type SessionId = Id<'session'>;
export type ApiKeyId = Id<'api-key'>;
export type InvitationId = Id<'invitation'>;
export type AuditEntryId = Id<'audit-entry'>;
export type SettingsId = Id<'settings'>;
export type DatasourceId = Id<'datasource'>;
export type RelationId = Id<'relation'>;
export type ConversationId = Id<'conversation'>;
export type MessageId = Id<'message'>;
export type FileId = Id<'file'>;
export type TaskId = Id<'task'>;
export type RunId = Id<'run'>;
export type BoardId = Id<'board'>;
export type TileId = Id<'tile'>;
export type ShareLinkId = Id<'share-link'>;

const ID_FORM = /^[0-9a-f]{24}$/;

export function isId(text: string): boolean {
  return ID_FORM.test(text);
}

/** The one place where a text becomes an id. The caller has checked its form or made it. */
export function asId<T extends Id<string>>(text: string): T {
  return text as T;
}
