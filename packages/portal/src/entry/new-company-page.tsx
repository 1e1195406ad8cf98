import { SymbolonError } from '@symbolon/sdk/portal'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { countryNames, likelyCountry } from '../data/countries.ts'
import { issueOf } from '../data/explain-error.ts'
import { type Body, portalClient } from '../data/portal-client.ts'
import { organizationsQuery } from '../data/queries.ts'
import { useAction } from '../data/use-action.ts'
import { type Form, useForm } from '../data/use-form.ts'
import { UserMenu } from '../shell/user-menu.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceCards } from '../ui/choice-cards.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Mark } from '../ui/mark.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { slugOf } from './slug.ts'

type Company = Required<Pick<Body<'POST /v1/orgs'>, 'name' | 'slug' | 'country' | 'signing_mode'>>
type Written = Omit<Company, 'slug'>

/** Creates a company; whoever creates it becomes its owner. */
export function NewCompanyPage() {
  const { data: organizations = [] } = useQuery(organizationsQuery)
  useEffect(() => {
    document.title = 'Create company · Symbolon'
  }, [])
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
      <NewCompanyForm title={organizations.length === 0 ? 'Create your first company' : 'Create a company'} />
    </main>
  )
}

function NewCompanyForm({ title }: { title: string }) {
  const [ownSlug, setSlug] = useState<string>()
  const form = useForm<Written>(() => ({ name: '', country: likelyCountry(), signing_mode: 'client' }))
  const slug = ownSlug ?? slugOf(form.values.name)
  const create = useCreateCompany({ ...form.values, slug })

  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate()
  }

  return (
    <form
      onSubmit={submit}
      className="flex flex-col gap-5 rounded-2xl border border-line bg-surface p-5 sm:p-8"
    >
      <div className="flex flex-col gap-1">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <p className="text-sm text-pretty text-muted">
          A company holds your users’ wallets, your API keys and your settings.
        </p>
      </div>
      <CompanyFields form={form} slug={slug} error={create.error} onSlug={setSlug} />
      <SigningModeChoice
        value={form.values.signing_mode}
        onChange={(mode) => form.set({ signing_mode: mode })}
      />
      {!isSlugTaken(create.error) && <ErrorNotice error={create.error} />}
      <div>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Create company
        </Button>
      </div>
    </form>
  )
}

function CompanyFields({
  form: { field },
  slug,
  error,
  onSlug,
}: {
  form: Form<Written>
  slug: string
  error: unknown
  onSlug: (slug: string) => void
}) {
  return (
    <>
      <TextField
        {...field('name', error)}
        label="Name"
        hint="Your users see it when they sign."
        required
        maxLength={100}
        placeholder="Northwind"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Slug"
          hint="Part of the portal’s URLs. You can’t change it later."
          error={isSlugTaken(error) ? 'This slug is taken. Choose another one.' : issueOf(error, 'slug')}
          required
          maxLength={63}
          pattern="[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?"
          title="Lowercase letters, digits and hyphens between them"
          value={slug}
          onText={(text) => onSlug(text.toLowerCase())}
          placeholder="northwind"
          className="font-mono"
        />
        <SelectField
          {...field('country', error)}
          label="Country"
          hint="Where your company is registered."
          options={countryNames()}
        />
      </div>
    </>
  )
}

const isSlugTaken = (error: unknown) => error instanceof SymbolonError && error.code === 'slug_taken'

function SigningModeChoice({
  value,
  onChange,
}: {
  value: Company['signing_mode']
  onChange: (mode: Company['signing_mode']) => void
}) {
  return (
    <>
      <ChoiceCards
        legend="Where should keys sign?"
        value={value}
        onChange={onChange}
        choices={[
          {
            value: 'client',
            title: 'Client mode',
            text: 'In your users’ browsers. Each key is split into three shares; neither you nor the platform can sign alone. For consumer apps.',
          },
          {
            value: 'tee',
            title: 'TEE mode',
            text: 'In an attested enclave, even when your users are offline. For backends, agents and automation.',
          },
        ]}
      />
      <p className="-mt-2 text-xs text-muted">You can change this until you create the first wallet.</p>
    </>
  )
}

function useCreateCompany(body: Company) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useAction({
    run: () => portalClient.call('POST /v1/orgs', { body }),
    done: `${body.name} created.`,
    onDone(organization) {
      queryClient.setQueryData(organizationsQuery.queryKey, (known = []) => [organization, ...known])
      void navigate({ to: '/o/$slug/quick-start', params: { slug: organization.slug } })
    },
  })
}
