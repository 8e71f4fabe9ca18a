export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "summary";
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join("");
}

function metricText({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ suffix = "", labels, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsText(labels: MetricSample["labels"]): string {
  const all = Object.entries(labels ?? {});
  return all.length === 0 ? "" : `{${all.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(",")}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
