-- Whether an objective is short enough for an agent's template: at most 64 KiB in all its places, as `objectiveOf` has it. A model is shown
-- template and objective apart, so there they do not multiply.
create or replace function fits_agent_template(agent agents, objective text) returns boolean language sql immutable as $$
  select agent.runner = 'llm' or t.places = 0 or btrim(agent.objective_template, E' \t\r\n') = '{{objective}}'
    or octet_length(agent.objective_template) + t.places::bigint * (octet_length(objective) - length('{{objective}}')) <= 65536
  from (select (length(agent.objective_template) - length(replace(agent.objective_template, '{{objective}}', '')))
    / length('{{objective}}') as places) t
$$;
