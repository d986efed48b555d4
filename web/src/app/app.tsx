import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { SignInPage } from '../pages/sign-in/sign-in.page.js';
import { SignInAgain } from '../pages/sign-in/sign-in-again.js';
import { client } from './client.js';
import { createQueryClient } from './query-client.js';
import { router } from './router.js';
import { UserContext, useSessionState, useUserId } from './session.js';
import { StreamProvider } from './stream.js';
import { schemeManager, styleNonce, themeOf, variables } from './theme.js';
import { PrintKeys } from './use-print.js';

/** Where links lead that show a board or an answer to anybody. */
const SharedPage = lazy(() => import('../pages/boards/shared.page.js'));
/** The page of a link that a manager made: whoever holds it is signed in as nobody. */
const InvitationPage = lazy(() => import('../pages/sign-in/invitation.page.js'));

/** Where the provider of a company sends people back to. */
const CallbackPage = lazy(() => import('../pages/sign-in/callback.page.js'));

export function App(): ReactNode {
  const userId = useUserId();
  const [theme] = useState(themeOf);
  const [OwnPage] = useState(() => PAGES_OF_NOBODY[window.location.pathname]);
  useStartOverFor(userId);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={schemeManager}
      getStyleNonce={styleNonce}
    >
      <PrintKeys />
      <Notifications position="bottom-right" />
      {/* The key: with another user everything that was there before is gone, whatever it was. */}
      {OwnPage !== undefined ? (
        <Suspense>
          <OwnPage />
        </Suspense>
      ) : userId === null ? (
        <SignInPage />
      ) : (
        <UsersOwn key={userId} />
      )}
    </MantineProvider>
  );
}

/** They need no session, and do not end where one is. */
const PAGES_OF_NOBODY: Readonly<Record<string, typeof InvitationPage>> = {
  '/invitation': InvitationPage,
  '/shared': SharedPage,
  '/sign-in/callback': CallbackPage,
};

/** Where one user was is nobody else's business. A link that is opened without a session stays, and leads on after the sign-in. */
function useStartOverFor(userId: string | null): void {
  const last = useRef(userId);
  useEffect(() => {
    if (last.current !== null && last.current !== userId) {
      router.history.replace('/');
      sessionStorage.clear();
      notifications.clean();
      notifications.cleanQueue();
    }
    if (userId !== null) last.current = userId;
  }, [userId]);
}

function UsersOwn(): ReactNode {
  const [queries] = useState(createQueryClient);
  const [user] = useState(client.user);
  const state = useSessionState();
  useEffect(() => {
    return () => {
      queries.clear();
    };
  }, [queries]);
  return (
    <UserContext value={user}>
      <QueryClientProvider client={queries}>
        <StreamProvider>
          <RouterProvider router={router} />
          {state === 'ended' && <SignInAgain />}
        </StreamProvider>
      </QueryClientProvider>
    </UserContext>
  );
}
