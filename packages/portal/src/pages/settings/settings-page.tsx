import { countryName } from '../../data/countries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Fact, Facts, MonoFact } from '../../ui/facts.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'
import { BrandingCard } from './branding-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { OriginsCard } from './origins-card.tsx'
import { SigningCard } from './signing-card.tsx'
import { TrustedClientsCard } from './trusted-clients-card.tsx'

/** The company's branding, allowed origins and signing settings. */
export function SettingsPage() {
  const { id, slug, country } = useOrganization()
  const mayChange = useMay('admin')
  return (
    <Page title="Settings" lead="What your users see, and where your app can run.">
      {!mayChange && <ReadOnlyNote what="settings" />}
      <BrandingCard />
      <OriginsCard />
      <TrustedClientsCard />
      <SigningCard />
      <KeysCard />
      <Card title="Company">
        <Facts>
          <MonoFact name="Organization ID" text={id} />
          <Fact name="Slug">
            <span className="font-mono text-xs">{slug}</span>
          </Fact>
          <Fact name="Country">{countryName(country)}</Fact>
          <Fact name="More settings">
            <TextLink to="/o/$slug/authentication">Authentication</TextLink>
            <TextLink to="/o/$slug/recovery">Recovery</TextLink>
            <TextLink to="/o/$slug/members">Members</TextLink>
          </Fact>
        </Facts>
      </Card>
    </Page>
  )
}
