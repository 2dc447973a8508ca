// Numbers in readable form.

// About four significant digits, thousands apart, no exponent.
export function number(value) {
  if (value === 0) return "0";
  const digits = Math.floor(Math.log10(Math.abs(value))) + 1;
  const text = value.toLocaleString("en", {
    maximumFractionDigits: Math.min(Math.max(4 - digits, 0), 6),
  });
  return text === "-0" ? "0" : text.replace("-", "−");
}

// "1 job", "2 jobs".
export function counted(count, one) {
  return `${number(count)} ${one}${count === 1 ? "" : "s"}`;
}

export function percent(share) {
  return `${number(100 * share)} %`;
}

const units = [
  [86400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
];

export function duration(seconds) {
  if (seconds === 0) return "0";
  const [size, unit] = units.find(([least]) => Math.abs(seconds) >= least) ?? units.at(-1);
  return `${number(Number((seconds / size).toPrecision(3)))} ${unit}`;
}

// One unit for a whole axis of times up to `longest` seconds.
export function axisUnit(longest) {
  const [size, unit] = units.find(([least]) => longest >= 3 * least) ?? units.at(-1);
  return { size, unit };
}

export function bytes(count) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let index = 0;
  while (count >= 1024 && index < names.length - 1) {
    count /= 1024;
    ++index;
  }
  return `${number(Number(count.toPrecision(3)))} ${names[index]}`;
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
