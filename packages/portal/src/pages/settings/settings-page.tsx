import { Link } from '@tanstack/react-router'
import { countryName } from '../../data/countries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Mono } from '../../ui/code.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'
import { BrandingCard } from './branding-card.tsx'
import { OriginsCard } from './origins-card.tsx'
import { SigningCard } from './signing-card.tsx'

/** The company's name and looks, the pages that may embed it, and how it signs. */
export function SettingsPage() {
  const { id, slug, country } = useOrganization()
  const mayChange = useMay('admin')
  return (
    <Page title="Settings" lead="What your users see of you, and where your app may run.">
      {!mayChange && <ReadOnlyNote what="settings" />}
      <BrandingCard />
      <OriginsCard />
      <SigningCard />
      <Card title="Company">
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[10rem_1fr]">
          <dt className="text-muted">Organization id</dt>
          <dd className="min-w-0">
            <Mono text={id} what="organization id" />
          </dd>
          <dt className="text-muted">Slug</dt>
          <dd className="font-mono text-xs">{slug}</dd>
          <dt className="text-muted">Country</dt>
          <dd>{countryName(country)}</dd>
          <dt className="text-muted">More</dt>
          <dd className="flex flex-wrap gap-x-4">
            <Link to="/o/$slug/authentication" params={{ slug }} className="text-accent hover:underline">
              Authentication
            </Link>
            <Link to="/o/$slug/recovery" params={{ slug }} className="text-accent hover:underline">
              Recovery
            </Link>
            <Link to="/o/$slug/members" params={{ slug }} className="text-accent hover:underline">
              Members
            </Link>
          </dd>
        </dl>
      </Card>
    </Page>
  )
}
