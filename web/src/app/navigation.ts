import {
  IconCalendarCog,
  IconDatabase,
  IconFiles,
  IconHistory,
  IconMessages,
  IconSettings,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';

export interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  /** Only shown to those whose role the service asks for there. */
  readonly managersOnly?: boolean;
}

/** The side navigation, from top to bottom. */
export const PLACES: readonly Place[] = [
  { to: '/datasources', label: 'Datasources', icon: IconDatabase },
  { to: '/assistant', label: 'Assistant', icon: IconMessages },
  { to: '/files', label: 'Context files', icon: IconFiles },
  { to: '/tasks', label: 'Agent tasks', icon: IconCalendarCog },
  { to: '/users', label: 'Users', icon: IconUsers, managersOnly: true },
  { to: '/audit', label: 'Audit log', icon: IconHistory, managersOnly: true },
  { to: '/settings', label: 'Settings', icon: IconSettings, managersOnly: true },
];
