import { Link } from '@tanstack/react-router'
import { pageGroups } from './pages.ts'

/** Links to the pages of a company. */
export function Navigation({ slug, onGo }: { slug: string; onGo?: () => void }) {
  return (
    <nav aria-label="Pages of the company" className="flex flex-col gap-4">
      {pageGroups.map(({ title, pages }) => (
        <div key={title} className="flex flex-col gap-0.5">
          {title !== '' && <p className="px-2.5 pb-1 text-xs font-medium text-muted">{title}</p>}
          {pages.map(({ to, title: name, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              params={{ slug }}
              activeOptions={{ exact: to === '/o/$slug', includeSearch: false }}
              preload="intent"
              {...(onGo !== undefined && { onClick: onGo })}
              className="flex min-h-8 items-center gap-2.5 rounded-lg px-2.5 text-sm text-muted transition hover:bg-sunken hover:text-ink aria-[current=page]:bg-tint aria-[current=page]:font-medium aria-[current=page]:text-ink max-lg:min-h-11"
            >
              <Icon className="size-4 shrink-0" aria-hidden="true" />
              {name}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  )
}
