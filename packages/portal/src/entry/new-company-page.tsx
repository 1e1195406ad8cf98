import { SymbolonError } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { countryNames, likelyCountry } from '../data/countries.ts'
import { issueOf } from '../data/explain-error.ts'
import type { Organization } from '../data/organization.tsx'
import { portalClient } from '../data/portal-client.ts'
import { organizationsQuery } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'
import { useAction } from '../data/use-action.ts'
import { UserMenu } from '../shell/user-menu.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceCards } from '../ui/choice-cards.tsx'
import { Field, Select, TextInput } from '../ui/field.tsx'
import { Mark } from '../ui/mark.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { slugOf } from './slug.ts'

/** Makes a company; whoever makes it owns it. */
export function NewCompanyPage() {
  const navigate = useNavigate()
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const [name, setName] = useState('')
  const [ownSlug, setSlug] = useState<string>()
  const [country, setCountry] = useState(likelyCountry)
  const [mode, setMode] = useState<Organization['signing_mode']>('client')
  const slug = ownSlug ?? slugOf(name)
  useEffect(() => {
    document.title = 'Create a company · Symbolon'
  }, [])
  const create = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs', { body: { name, slug, country, signing_mode: mode } }),
    done: `${name} is yours.`,
    onDone(organization) {
      queryClient.setQueryData(organizationsQuery.queryKey, (known = []) => [organization, ...known])
      void navigate({ to: '/o/$slug/quick-start', params: { slug: organization.slug } })
    },
  })
  const isTaken = create.error instanceof SymbolonError && create.error.code === 'slug_taken'

  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate(undefined)
  }

  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-6 px-4 py-6 sm:py-10">
      <div className="flex items-center justify-between">
        <p className="flex items-center gap-2 font-semibold">
          <Mark /> Symbolon
        </p>
        <UserMenu />
      </div>
      {organizations[0] !== undefined && (
        <Link to="/" className="flex items-center gap-1.5 self-start text-sm text-muted hover:text-ink">
          <ArrowLeft className="size-4" aria-hidden="true" /> Back to {organizations[0].name}
        </Link>
      )}
      <form
        onSubmit={submit}
        className="flex flex-col gap-5 rounded-2xl border border-line bg-surface p-5 sm:p-8"
      >
        <div className="flex flex-col gap-1">
          <h1 className="text-xl font-semibold tracking-tight">
            {organizations.length === 0 ? 'Create your first company' : 'Create a company'}
          </h1>
          <p className="text-sm text-pretty text-muted">
            It holds your users’ wallets, your keys and your settings, apart from everybody else’s.
          </p>
        </div>
        <Field label="Name" hint="Your users read it when they sign." error={issueOf(create.error, 'name')}>
          {(props) => (
            <TextInput
              {...props}
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Northwind"
            />
          )}
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Slug"
            hint="Part of the portal’s addresses; it stays."
            error={isTaken ? 'this slug is taken' : issueOf(create.error, 'slug')}
          >
            {(props) => (
              <TextInput
                {...props}
                required
                maxLength={63}
                pattern="[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?"
                title="a-z, 0-9 and inner hyphens"
                value={slug}
                onChange={(event) => setSlug(event.target.value.toLowerCase())}
                placeholder="northwind"
                className="font-mono"
              />
            )}
          </Field>
          <Field label="Country" hint="Where the company is registered.">
            {(props) => (
              <Select {...props} value={country} onChange={(event) => setCountry(event.target.value)}>
                {countryNames().map(([code, text]) => (
                  <option key={code} value={code}>
                    {text}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <ChoiceCards
          legend="Where do keys sign?"
          value={mode}
          onChange={setMode}
          choices={[
            {
              value: 'client',
              title: 'Client mode',
              text: 'In your users’ browsers. The key is split in three; neither you nor the platform can sign alone. For consumer apps.',
            },
            {
              value: 'tee',
              title: 'TEE mode',
              text: 'In an attested enclave, also when nobody is there. For backends, agents and automation.',
            },
          ]}
        />
        <p className="-mt-2 text-xs text-muted">This can be changed as long as there is no wallet.</p>
        {!isTaken && <ErrorNotice error={create.error} />}
        <div>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create company
          </Button>
        </div>
      </form>
    </main>
  )
}
