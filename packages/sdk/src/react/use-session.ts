import { useSyncExternalStore } from 'react'
import { type Session, signedOut } from '../session/session.ts'
import { useSymbolon } from './symbolon-provider.ts'

/** Who is logged in. On a server and during hydration, nobody is. */
export function useSession(): Session {
  const { auth } = useSymbolon()
  return useSyncExternalStore(auth.onChange, auth.session, () => signedOut)
}
