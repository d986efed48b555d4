import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  IconBell,
  IconCalendarCog,
  IconDatabase,
  IconFiles,
  IconHistory,
  IconLayoutDashboard,
  IconMessages,
  IconSettings,
  IconTrash,
  IconUsers,
  type Icon,
} from '../ui/icons.js';

export interface Place {
  readonly to: string;
  readonly label: MessageDescriptor;
  readonly icon: Icon;
  /** Only shown to those whose role the service asks for there. */
  readonly managersOnly?: boolean;
}

/** The side navigation, from top to bottom. */
export const PLACES: readonly Place[] = [
  { to: '/datasources', label: msg`Datasources`, icon: IconDatabase },
  { to: '/assistant', label: msg`Assistant`, icon: IconMessages },
  { to: '/boards', label: msg`Boards`, icon: IconLayoutDashboard },
  { to: '/files', label: msg`Context files`, icon: IconFiles },
  { to: '/tasks', label: msg`Agent tasks`, icon: IconCalendarCog },
  { to: '/alerts', label: msg`Alerts`, icon: IconBell },
  { to: '/bin', label: msg`Bin`, icon: IconTrash },
  { to: '/users', label: msg`Users`, icon: IconUsers, managersOnly: true },
  { to: '/audit', label: msg`Audit log`, icon: IconHistory, managersOnly: true },
  { to: '/settings', label: msg`Settings`, icon: IconSettings, managersOnly: true },
];
