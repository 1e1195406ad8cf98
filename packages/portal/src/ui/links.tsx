import { getRouteApi, type RouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonForm, buttonLooks } from './button.tsx'

type Linked = RouteApi<'/inside/o/$slug'>['Link']

/** A link to a page of the open company, whose slug it fills in. */
export const CompanyLink: Linked = getRouteApi('/inside/o/$slug').Link

const Plain = CompanyLink as (props: { className: string }) => ReactNode

/** A link within a text. */
export const TextLink = ((props) => <Plain {...props} className="text-accent underline" />) as Linked

/** A link that looks like a button. */
export const ButtonLink = ((props) => (
  <Plain {...props} className={`${buttonForm} ${buttonLooks.secondary}`} />
)) as Linked

/** A link that looks like the main button of its place. */
export const PrimaryLink = ((props) => (
  <Plain {...props} className={`${buttonForm} ${buttonLooks.primary}`} />
)) as Linked

/** A link that shows an ID, cut to its place. */
export const IdLink = ((props) => (
  <Plain {...props} className="min-w-0 truncate font-mono text-xs text-accent hover:underline" />
)) as Linked
