import { createContext, createElement, type ReactNode, useContext } from 'react'
import type { Client } from '../client/client.ts'

const Context = createContext<Client | null>(null)

/** Gives the client to all hooks below. Make the client once, outside of components. */
export function SymbolonProvider({
  client,
  children,
}: {
  readonly client: Client
  readonly children?: ReactNode
}) {
  return createElement(Context.Provider, { value: client }, children)
}

/** The client of the nearest `SymbolonProvider`; throws without one. */
export function useSymbolon(): Client {
  const client = useContext(Context)
  if (!client) throw new Error('useSymbolon needs a <SymbolonProvider client={…}> above it')
  return client
}
