/* Self-play in plain C: first to the target wins, multipliers 2-9, nothing checked. */
#include <stdint.h>

void play(int64_t games, int64_t target, int64_t *totals, const int64_t *actions,
          uint8_t *ended) {
  for (int64_t game = 0; game < games; game++) {
    int64_t total = totals[game];
    total = total >= target ? 1 : total * (actions[game] + 2);
    totals[game] = total;
    ended[game] = total >= target;
  }
}
